/// The weights of the network as `lull-train` writes them: 32-bit floats, lowest byte first, in base 64.
enum HazardWeights {
    static let parameters: [Float] = decode(text)

    /// What is no digit of base 64 is passed over: the text is broken into lines.
    static func decode(_ text: String) -> [Float] {
        var floats: [Float] = []
        floats.reserveCapacity(HazardNetwork.parameterCount)
        var bits: UInt32 = 0
        var count = 0
        var word: UInt32 = 0
        var bytes: UInt32 = 0
        for digit in text.utf8 {
            let value: UInt32
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(digit - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(digit - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(digit - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            word |= (bits >> UInt32(count) & 0xFF) << (8 * bytes)
            bytes += 1
            if bytes == 4 {
                floats.append(Float(bitPattern: word))
                word = 0
                bytes = 0
            }
        }
        return floats
    }
}

extension HazardWeights {
    fileprivate static let text = """
        kUZhPbHjKD5W4cK6t6xaPvj35jtx/gS96QogPtbHyj3Tur89JPY8vH5QqT0WGAY+Ki0zPlrmsj234k0+dOBcPjukJz7Jpgg+V2Ll
        PO6G1b2yqRK8HBtiPvSj1D0kggk+cTRMPZRP8DwEyg8+676ovIg1mj2S6ku+2jwIPv+fgj39SuU9sfAKPpJckz1EqrC8dmpiPVE4
        aT24Xik+PVQIvgMNqj2NTEQ91rucviz7mT1tItI9WrT3vIG9Vj6XzaY9W84nPsiYdz2LkOY9wfmVPBz0Qz4QNL87641wPeabjT1C
        tJy9ENjTPXEhgr1dyL09PdwuPsC6mT0Iol4+o9O0PeKc8Lz0IWk+gNa3PWVR9b6HCxs/tg4BP8GS9T68e4a+lcGQvcnjPT1USjO+
        p8d9PqT7nb6ZClq+NzoSvuF8J78HBd++yhuovKDhDz9L3XS9RstvvSNZtr7iSwG95iHMPQJ7PD6mxYI+/dlYvoVmQT0xRXM+NQnU
        PfUz+z51N+q9GTdGPutIAb39dBu+echEvs9RCL6Lsx8+6pSevh10Sz00VKc+xJf6Pkqelb5hjxO+c+u3us1k9b0u/cO9epIPP3tj
        2r6UoYi+dD05Pu77Qr7mwc8+9dlJvjLghj5Zcag+i66SuyYfKz5jKC2+aQA0Pna8b76POzk+fJ1rPdnusD26IQY/sEOhPkPjJT/z
        Vm+9s7eJPeULGj5mTba+AmksP7b9BD54Td++FuYvvc09z72ivBc/tloKP0clxryfLbE+tl4hP2z96j7Z0sI+sJXGPmNchj4pW5U/
        xkm4PvVQp752Hri+1L8mvac/S743uKS86i6Hu1XDor+RTJk/YIBtvAT7CD6gCbM+gOzFvqe3Bj+4RMc+WsgOvnv3lj4w8qo+0hoo
        P7JbGD6wAIS/0mY3PzlZZT6XAO6+8pQfPlb9Uj86ajW8e21pP+k4uD36P8y9gzg3vm0spD6CM0k9WwJKvQyJk74xBYc+dDkfPpjs
        sj5dzgA/ku8Dv2EGD79Yyik+ZqLhvNDCAb5LbDq/oAuVvqKemT1ByAM/bVv4vcKqyz5SO+s+epddu12Klj09CA+9aDyavky6gL7R
        +CA+q/tFP8sYpj4SgqA+YoFgvg5R2DwZi8g+h00/PwrBez1W5AU+HExnvi7Vnr5cU7i+aM3OPEGx3j5jpZe9E6MVPd6CWb6dqaQ+
        dnkAP6/BLj4NeA29th+SvlkOQz72Efq9ESfPPmtu0rzRwUi+SjfXvvDTOj7OEfU+edsqPfLekr5RgZ2+ZwQxvy2KLz6OIfw+5ThC
        vs64pr4MyFs93hmpvb8w4L1GJPm9FjgxvVpAnL6NY+U8FrhCPx1GXr4gd4++otDCvkaHDb4F0QI+yKzSPtepWT60WKi9S+GXvhni
        1L3x8LM+k0rBPuoPcD1qSQS/tYh4vCAuDj5L7SI+C4iHOxsjaT1nh0u+vr7tufHoTD6XFiu83NIYPi4hz7zUKAI/CbIpvviLez5x
        qZE+A88VPlGK5r0DnQO91xZkvoYkxj7w8bQ9FMnqPt5LdL5G/Fk+WWEqvnegzb3dJdE9P4YvPkqdqb50adi9iXAhPoP63L4I1d89
        gt2uPmzN+b7hEpC9vg9nPtqd773a5fS94w/8PVh2yr3k4hs+w5kaPj02Xbv98mM9CI+EvoVlGT8h/3c+Xb6rvDuatT6li3e92Fou
        vvOVyT7KQA4/E1QDv0iqFr9tYxk/HzgTP5KPeL9z6lM+PTuAP9qtVD8mP3U+TRCdvn6xDT9Tos8+tfExvlD3aj/s4YI+BDfLvkgY
        Ej5Nvwe+i/LoPmM6gz7hhRy/2cwkP65ZUr6hQ7e9QssuvVlebj41Icq+k60IvD4oPb02tqM9IcOevfeFTT8FDW2/MQyOPtkb6T7E
        2bE9RH9Gvujnaj+YCVk+Bmo6vZuSXz461Oq+lG42PzaLIL4Id8i+F4yjPt6zQD/hVWI/9FYyPsOVgL7yeDk8cNtTPli4WD/spzG/
        0CdBvyoRjb7wbv0+EUJQPhaqfL6yWY++7hHuvl9j0j6ESd0+dQp0vh+55j53m4y91yJ8v1Sw9z5rAuA+hE2JPkpPgb+qJzy+gRyD
        PkhPGz4fVQ8/Jn7yvaS8F79BIS++krRLvltUDz+n3S8+AE6sPdHLab5+txU8Q5SlPaCfF75dD669U7krv8DXEL4CMC4+Go5cvnnG
        HD4+046+dxyjvrGPgL5G3VO+K4zyPn4vDT5mZ2Y+001gvnalML5cMh6/bfJsPdhK/r5VXbw+2YlqPUoGJ79WmhQ/uhiaPkDcvj55
        4eI9W68VvoQWez67dy49iyAkvkyZFT71ofW8dBgTvvA+pD3NBPk+PrfjvlQb+jy7uVM+JT3mve6Dfr5nkjw+kZVKvxnqKDlEocc9
        6crHvcRwnbwJW3K9z5QOvkqTLL7+nbA8hVOqvfuiir2ZSS++ul3SvQUyRL3xzbc9isl8PQexKr73nwM9qBM1vVLVm73tqyc+RU/K
        PEZv471A0SI9iocLvjzSVz0sXj89MOYoPaeWDrys2qG9R8hqvOgyizvGZiQ8trYzPvgP0L2mQIa8+UZNvmrKvD0yGum84lE0PvBO
        oj3sdXY99930vZDIK72Mk/c9wMgMvkUjX77kaIM8V06nPR0cpj1FUgw90gMGvtqv57zd+oU9cTQ5PhpBRr26lUq8ge1cvlOZs7wv
        g1090WA7vVF2RD0WgG+801EQvX3aKz0xKpU93RwtPfDDJjzxqd2+pCNiPXv9C73bXAC+zvEEv9Gq9b3nN4i+7e/MvaH/vr0hF3m+
        88VLvraPCL4cwqC9O8bVPdrF2LwYQSy+Gb7JO+xKZz0Cdte8VGKavRPqOL5/rG6+kaRKvUpjxrwq+1k9BD36PV5PZD24u6u98ToW
        PCoS4b3gJ0c+hQ2XPCSg0b1OPzI+fsyHvYJ5ND0SA2q9B/lVvs6VZjys0bM8yBnJvfU+D75jc0u92zUuPo6CLb3HF/W84HR/vBjF
        yboXoKq9lY06vi7X5j3kTkK9Rw+gvVLaUr0BIHi+t4iVvVQ+kL01uwi+/6tUvccJKr3K/a++5XQgPVmvmLvJE3s9/Lt3vTz9hTza
        scI8kpwLPd5Uyb2CDDc9t+suvBjyp7sY6pM8gXjMPHFo+LynDBC9CkMHPfd2zLmpfrU8MERRPFu3cjx36Ig7VIKNPNkWaLsPrmo9
        +/cFvHuTlLzZyO87J7hTPBPwGj2x9SK9G5cNPc0W0zyfQao8NjejPDp2yDv9cT091tS+PCdrRzyZP7W8wHENvSZk77yTnpM8RZMv
        vfM/B71Tpic9GsUKu/LLAD07pFC8nUFwvEwNDT29p5O85Xz7PDv3K7y2HBq9iEuovIV66zxSYSk9DkSIvVWbKb0Ph4c9I6TLO5LO
        Qj1Os0k94kqUvXWpjr3brUC+Ku95vhy92jlyVMu9jmgivhqU1z20P4y9EEzfPCzcNr1trxS9Id85PVF1LD27QDK+kCmtPV3TbL3a
        l3K92Zu1veH6i75UBXk9Ng7EvQO1Er7h9JE8vhmvPQjUlbxO3eO9ZnxIPMORTj11s9i82v8xPFq8u76LPFO8b0ipvXDyPb18huu9
        Q3V0PWYld7v0n8G9pIuAPJKGqbwmoci9FoJOvq8/sT2o4FY8vZ5aPFn5+rxisgc9G1ltvSoG0D0hkla8UM0QvlAiWj3baLK9PG5t
        vS7UML77VSg9tbCfPM5ac7yN1Je9idRkPTqnXL7YGSE9B4tDPdVuob2orSY931AavjRT/TxR4ok7sERUvWeaK74d2cw9ZsxWPatK
        cr1NIfy88qCVu73P2739zIQ9T5+OvKD4HD2xS3+9/lDHvQYcU73Hade9At0LPnQZDb6LOHW+M3yuPcjR3T0TQY49jvi8u8EGRr13
        CLo9sUw/PKuOtL28Vm6+SAr2vUVkA723bwq+AaitvbNx1TmLp5s7llcCvmR8kbx2qna9i62dvZtgKb53QIy9JDnKPW4wB72OcIa8
        9WYIPLGqI7ws+Ls92sEfPV6sAr7cIyk+5nU8u14vKbz5VpW9v0hbPZjS8byJ1tS8F76xvf0YwD0KRYu+3efPPeETzjyEB0E9Ufui
        PR164zpY3VM7TUAzvvJCFL6Qk+e9/7M7vcjQtr27Lqq9pQwxvogvfr2FDhS+q+BDvc2h4rsnEDG8fHjnPL36zboy7au9gIYnvrBH
        aD44xBq9O9XivJI5oT0arAA+7/APvnGBsr1luJW9QItsPnjzOz3MRGu+qCilvcNMETz3RSW+BLe5veNkB74W8qi9jmhnvUViqLzR
        5S2+Y5ZVvYJAJ71dmSC+gprOvQTLGTx4Dgy9PIETvgBnLr0YTOG8urSevdWIKjtejcm9Mx08PnxbAL6p+Ls9Qrl/vEQgHD6WYwe+
        d1UPvoqYPj32eKo+G4fRvRJ94L395T++Nv0svktjqz3Zqtq9ccNKPG7EA729Hg+9BFGHvZmVf7w1LhY8/PG4PCNCQ70xESe91kPy
        vWz/pD19GAq9ShLAPRLAuL1feQK+4uAZvW9sTr39Tik+lvvvuzuOQzzuHQY9wqoaO+E7QL3braK8LVbdvdY4MD0HSwI9vfD3tvZe
        Ej12b0u9+U/qvObjE74zMdO99Xm0vWXEhL20br+94HqpvddZb70WmI27Za+kvV2MVjwmWMY9hProvAXZkb3Twqm7RMOPvGz8F75E
        F1Y9LCOCu4zfiD1JhRW+IgkLPg/4Sr1h2pw828z6vXD6G72EXkM8tab7Pdn48r0Ashy990JaPfTQUb1RsBw+d+OHvjOLWL2IMzu+
        W40VvSrVHL61sEU+7j6bvREq1j3lWBo9ZmxuvkntKT0etXu8LpYsvhUEAj2WxI69/NVEvl86rL3UWGi9/J34PTf/K70MZLm9P8OH
        PSwQDj6+/bO9N3OFO6DNSb7XCvQ9LL+GPS8sJb456lm+EnxBPIKHYr0CwgO+1lW/vUSbaz0SVCm8ajUovERXQr1CUau9WYMivt9Z
        q7wDwD6+KPqYPXxYzj3N4wC+dTDxvfhupL2Prb69qXohPVcxrTwBlS08yacUPRMDgj3Zini++/R1PdWnDD0E/qc8hziwPN2KRD7+
        R8m9/P2jPA/LnDxux9U60T8+vc70+j3e1Gi82fe0PqjRUb6Heae9As+NvQyzozyDryO+vER1vR5lNr3Vsgm+zf9tPuewMT4MeP49
        3uYEPPHBKr19UhG+jAQovv8npT3BxT+9CUCBvdI6qDwjSB6+asuZPchEdr10Hu09Y/neOsm0Er6ajzc9CP8JvqIQCb1qdKo9r0uU
        vQrkDL221hI7K98PvaWTrb1ZrY49BWqyPdK0aT0+u3U9110sPm1Lzz16A7+9/f2PvarA3LwaeV09jNDdPa1LZb0kkku+QSoGvSXT
        4j2dOAM+Lnn8PVFkoL1NaB++hSFYPfdf6jxbssi9HXGSvT/cZby5rOg6shkPPKMhDL2ddDO9YdifvRO1Hj14VDc9DkXTPbF1ij7m
        /Uc93vb5Pam6HD6fFo473OsAvNjSar2leR2+WBNHvSMKlDzKiSY9Bdl0Pd6ZYz3HCu89AaFLPlpXi7w9npW7BDHsPS/0Nz00q669
        JdR/PMs44T2vWXU8E2zJvMd7Gj4cXRG++abNPQhzMT19RzO91CgRPaMhGL2SKbK85pfHPDcX0r24Cie+dKTkPRIlJL57GoC+r2sy
        PpitQj53Ubi+KVnpvatSjr5qPTQ9eFlWPjHxPD75/k2+iUKtPS8B17wYyO472OcIPotb8T1/Xjq+yV2OPeEFkj1x4vg9PkjgPbcu
        mD0Tlh49ntOgvOaWxD2+jLK8VSPovRUdBr4nYlc9S+5jvat9D74GsBu9WohLvdhHH74soCc9rMRevA6Pgjyy46I9yQpEPbhLK75N
        Nci8CeviPY4J4739cgy96dh/vH2cwD084Qq904tSvMGyrD1HPBg+f7GKvbvZRr7HwXC7DD2FvEeNwLx1dR++hToTvtsEVz2X2j69
        BxMZvlwKgr1I5Iq8xgiuPKhppDyc5qG9mQbcPQ2YKL0grsi8mHKCvSuhxzv1Ro892gVsvCkwDj0Qxgs+C8ZZPXJP6bzXMx49myev
        PV26Rb2dq1S9a/XQPCdq2j1BHKm96UDlO4wujDp7jKK98JtMPhHwFD4v6Lc7auVqvo3mBr5TX2E9c9ydPjLx0r1M280+A8ujvbhm
        PDxY+4O9IlULvefhjL3hZXu9Lf3wvDuP3zs53bM9UqU5PRszaT6TXI09FtMHPn8pqb1PfwG8+kYpvnDceb1WHae9TpkzPUXI0T3v
        fzM8g5AFPvLr6DxJYum9kUXXPYVBEL3lxw++mMvsvFBT/jz8BYW9CkGpPONaATzfRxO7sUUNviCmMb2ws8I9zLRCvRlolL0n+Ai9
        v34fvufKUjz6WeI6eBB9vejA870UlVg+API2vfybpbz2ygI9rFy4vVdIOr3X02g+e/nsPazvrbw33249ErDvvZt4zD7fWlK++b6U
        vgMpDT9wyfW+PSSsvmyjFT++ZvO+nNUXPi1iHr9Cqg4/6EWAPhY3Ej3Sv8Y95B/BPcZ4hj/Zazc/t8gFv8eVRr3924M+fqAZP47K
        GT9Lyy6/PMRHPhRbjb4zKY+/uei6PsuswT7pyRw/6P4DP+iNZL8K+J+9wmxev32vhT4Pawg+/Z56vuArpj0UFYU+oG/MvtT3qr2a
        RAG/BcygPlwYjr6d/x6/MkVSP5zSUT9wVGs+pv0Cvz2+fDshJKw+E22gPbmjr7vXZIO/dz1nPgYpHL+rGyu+5xqOPWkhdL/a1xU8
        vpnQPrDQAT843j298ddTPna2i7+J+sM9NCWwPpqCjb0Jle8+0sklvuDzub1eRGe9920KPo8ThT4GuIC80Qa/vWXbBj01CVQ+yU+D
        PsoJeD4Q1gk+5+2jPqunwz1H7Xq+lYw7vsDL1jzYhb09yn1HPhm66LzFtwQ9QOoUvu8/gz7VquS7EnEJPfAopj1S6fu9Y2phPgZQ
        ET7dtVg+MvHbPrBJmL6/2Nk8fYYJPWyKxT7/vRg7qInTvLv7Kj5PKJC+J7l+O6Rwpr2g96M88KWsPp3Zv73TKic+ko+EPtKmpb29
        b+48Wc0GvgFkKr0Q+xq+T4TavU6NP73TS4e+p0novbiXzr3Xq/c9E1sSPhWKET6/aAw+B0N3vrAgpj7xAR+/ilrTv83cEj7Yt6Q+
        hvg3v2VXQL8ciU6/OFpZPt7Q+b6757M+x08Rv5ZRq7/DEBK/sZfwPfOhGT7PgME9ocELv600cz5oR6u+QmcHPOgbwrsGhSs+Bg4Z
        v74MnD2aBRS/oMdGPTSuiD56MJG+t7Pevm3Dk77IQCu/JeejPiTpDL+awT8+xRy5vnlngb7uYC++Hu3CvbqZTr/YZD++Il76PS+3
        Ob/arAe+HTO+Pgz1ib4/GLC/Yj/XO9xbkr6en/U9WsSXvo/t9j6Lg5c9zrk4v/vtgb3H8jm+ldH/vpSa7r14ToS+6q6dvvVW8L79
        8bu+lsGfvy8GjL1rI4O9YJ+FPg4bUL6krfq81HXrPDswJr7/JmW9l/8jvtaMkr4UiW88Seu3PP9nhj2IP4g98fqwvS9NOL3JYdi9
        X8hvuwcUkb2SyJy9oTY1vIelXjyvUgA9qdx4vTuQJr7ImJa9SLp4vmhPPj02sqq9vvwcPp+7nz0OLY+9BTGbPQGWM71ROMO9MFEK
        vp9bJLxjMsQ8hKRVu1W5tbtQbi89Pu+UvBLIoT1Gxu69WC3UvfNlsTwe7Yw9ruaIPVILZ72NQIo8iFeau7DhIT0y/LW9IgpzvNNk
        Mj2ChJs9RU0VPnoGSTyOceO9BVUmPZ/KP73kYMa830ukvDotKL3b3Ps9+kgDvtWTZ73KBLI9BwAKPrmHez0k3Qe+7D9svgSNGr2L
        6ms+Zq3FPfBRoLzBcVO+IkS9vYfNrL25cZq+y4nGvRm2Gb6wMTw+b+XhPQk3Ij5sPQO9khtyPb0XNzsGnJ+9ypQOPrThAb5mNwY+
        F2EUPuOVR76VrSM+W7QlPlz2IL4eRhk+O5ukvsbgkD7G4+A9pntwPpC0mb3zLLo8mkE/PPEn0j1iqQU+E3xMPc+A/zzbpEM+kI4v
        vdeW9r3WM6q+S7EDvscixLwsAlA+3GUqPl2Vbr22MIA+o0iBPvWqXz0YE2U+jrh5PkNCYj4Wbs89X9yIvTqox74EnY69JHyEPcyG
        LMBidyW/x34+P0t4dT9JBio+rNYmv0o+AD/1PnW+d4hyPsoR4L68mvM+nL3GPLVqMT/0+qo+czIUv82D7r+FkK++0x81wLI6Bb9u
        cgS/XV9zv36pgD5OSIc+VsVlP0tZDj98NrS/fBEOPo41ob73bzo+kCFawI9T+D5X7oi+M7a3Pg77yT0Qm14/BmI3P77rjj63aIu+
        Uiz9v4o5BMD4B4G/SjF0v2TxVL9gaCq/UnnFvn/OoDs6wka/eaeOP8d/Xb9rume+7uhVvpmUkz8ncuY+4xPzvlm67D5AkFC+YgJL
        P7YCl75c84E+9NHhvsrDtr4yyhs9XwaMuy1HOL7iVwjA9jX9vvHAvD4lDys+YzXYvNpZ/r4z3Aw/f9O0vkEKlr7Bbta/VviqvjX7
        EsB3QRG/rcH4Pv9qw77dnTk/ZdKBu2aoIL8w0fS+DqFpvitEsb+mzUa9TtcLv5hH5r1xHu0+4PsRPnSXxb1ydeo+wQ8yP6bBG7+Z
        hRY/ok2bvn5od7+ur4E/B2RTvtQqHz+Eih6/nMxmv30IpT4KfF2/o5YzP9NkLjxizqU+YUcIv0Q12b2q4TK/04uHv0o/OT/7cjG/
        M8PHvkwCKD0oYsa+ZDGcvXxQyr9QvLM+e1sjPljPNL981oG+7Z+yO+KfCcCBm/s8bV4jP5mCXj8h7ly/eVMUP6YCGj+z/4+8juRJ
        v0ps3zxdOzW9sCf7Pu+rNL9nfo+/Eqrhvp32Aj97NWs+8qxAvp6FuL7fHGS/VJETwKubIj/GHCA/u5X7vtXWtL6ADkY/uXShv4Ag
        YT8WIjy/BXf2vr0rz7/p7Zo9blUKPvfIyL/lEOQ+L/8QP0vM2b408qi+FX6tP7b+fr+ip/a+WUkXv/ZdST/AtQDADrHUPWTJmr+l
        czG+iSSNP44BiL4b416/IpMRP4JuQj91doi/3QmxPoa+XL+wLpM+C88RvWZ/U75vxme/5ph5P9p8GT6pJLG/D5chP1vqlb0H0vm/
        pJGBPLv4673FISk/U8/HvpEMLb/JZBa//sAcPyKATT5BGec+56aoPnxDBD+BAjW+LZlYv1uJdb9mOzS+6cduvyZdwj3spDk+x1xY
        P4R16r7QqkE+yRJUPpav5b3FAFy/x96Av7Wc/D5eKvK+3ROaPvFypLxGw9G/BCSSvtAg3T5IHfm+PkmTPqVFIL/4DL6933f3va0e
        yz+smI0/yPaOv64GJz7yVbC+dhZsP9HvFb/o0cK/t4mNvnWmNj+8tpK+4EfmvuhLYz527zq+pE6XvZKpHMAragC/FJUFv30QbL+s
        74u+uEMlPxn8qD5hapI+xEcvvzunbz1t/WC+rc+yvv/pbz6Zegk8IycZvttO677HwT7AnLWDvgVvPD3q6kq/onXkvf1uMD5Jc3a/
        6/wavwjxfj9iQZe840NCv2Vd6b5z7wW/zL6VPgCUxr2FsKe+ziWwPU6vJT7ed4C+EpX7v05mBr56BPu+dkUHPtA+Ir15Pb69zEcK
        Pp5dM767PhI/S+Zwvb7jlL/OEd++X3lsPqrNg79+kdY/orO4vq7MPj4QiOC+DnQuPlKIO7+raGa/XVVSwBPcLj1CPi4/zBg6P6GV
        Hr+5W1+/g5JHv874mj+iswW/dgbUvyN7Bb8r+yK/IHSwv8/SID4OlXq+eZjwPA6pY7/igcy9ndA5vi+01j7GqQG8kGMJPzIYMr+Z
        NYC7GdbCveYxFDwUjcs8otlmPYsBqryVLMu9w2e6PadrW70TpRO9V3+oPSm2iT31Zds9I4oHPRabkj3sciu8zwcHvYOquTwntJU9
        ixnnPEkh4j2BD2k9wPZiPPTv6b2M4CO9TRRBvORm3TxpSDO8lQfkOfnTvbzesfY9PS+tvXJ9Rrv0UhI69P+lvSSkgLy7P7u8S5f4
        vbr7IbzW1Rs98rpmvDb8/LzVNBm9x7huPTxOVT1kJ0a9uPYpPYy/Hz2jq9k7HlBHPeUpcj0u3qq84ZnYu9Fdiz2mkOm8s/VRvRjM
        rL33hKK8RmXNPMbGkjxspHk9Fc9FvA7oEr0MhdI7kIAGPaY+2j2Kyx69cyOXvdlDpb1pmWO8XwpVvNdRiL2VGkW+7PCGveHNET3r
        qKS9pP23vVuEnDy8mAy9rD6KPf8Fvz2XAlG9djyOvBsS5D1r8Zc9wQsDPqGc5bw74a09+ZeKvfRsvL2c16W9mNzuPReQK7zI8ji+
        8k0FPcDNhz1+pBi+Po33PKiRBL7nMD69I5VhOm5yyr1r5Ie9JKvXPf6lCj1j0zq9CGLvvNw9oD3dw+y8TjAYvkGWtTyXeaW8emgI
        OrAosT2g74A983BrPeiexr0D7a69mg1EPB54ij3Kese9GiH8vcTezzwg4Q8+zvWKPXEHPL2cl++9CijzvQMMPb3KhCo83lsYvpKC
        FT6I9va9DdP3vW5Lob06i8c9KpS3umUlID1kqza80PKkPcDdur13Ksi9hvOPvd6ksb2N4Oa99VcfvbiooDwA8Cu9UXYLPZCA3j39
        7lM9AymAvRpzGD7PJTE9MvkUOTpiBzxaP1693EuQvclRcb2XGLG8Yw/OPXBmfL0njiw8J+d3vTFPiDzWOYG98pwHPr0IGz0Xnaa9
        hQ1PPcCZX73D0Eq+Zau4vZicyTxTK9a9G+PtO/7x0r1PSQG9vK7KPBiMGbxbCQ6+kKMbPg8G2r0ftGm9R++/vJ3CEj4GWN+9XsAB
        vg8xFD53RS09xu/VPVmnSL1FqIw8dKe8Pq8S1r2u7sQ9wzEcP01fNz3EKia+qm8UPfIgxr1zayg+SjqzvaAStj7DN52994MmvujO
        hz1G+Yy9Dd0EPah1CD0Y4M8+Zk13PRjhsj6w6mw9Xp4Qvd1jAb6Ecyi9DgE4Pghqmj0oNlw94PWaPmxl47wumn8+swUOPkQJHj4D
        IsI+o9mmPXaKdD1zbBI+voe6PN09nD3FWIk+IJGAPjsrqD5JNRe+Otx2vfnJUD5aLmS9gwakvY1vjT2caV8+g3dKvi719j7a80A9
        Es5VPlibkb2THTQ9LeZ+vAkIXDuAKJc+wKU0PSEUED6c60u9LhjCvYx85r15yEk+M+YKvtVqij4kKoW+vpPKPvNxEL4mYXu919NY
        vphCTz0sQ6a9iGEPvvMaAz2vqEG+r+6BPY18gDw/Jo89VbKFvobTMb6f1IC9QniivhsRyr2W4gW+wg9+vgHQgL2Jn3c9A4aaPanC
        fr2PRu49kNuNvdVlgr4CeJw+h+J8vp9mPT2FZAI+eNG4vaoNyDwJN4S+/I6/vAWBOTxmRu4+0XEGvcHH5b1TZDm+EEsIPkfth71o
        sa69Qh+2PtUxFj5It2O9iceAPozcZ767JiG+1W3aPefkvLyLHl++JxrGPV0PUL3wP2O7jjZDPXiCkLzOtNc80KU2Pe/Fib5Rcfu9
        2TEuvvgyH70MnCU+NrSLvmWCnTywc8O+CVq5PZVoSr7yDkS+d5PHvZZT2jqum5c9kobKvTlpUT66ZJS+97YSvSESkL7p8i++F4kh
        PuPLOL4PFPa9Z3Ejvgs8uLxoTJg9yJoePgfkOD7XPCS+jASXPhqBir0LMw++V12pPrmhAT6C2sw9XhHDPty2pD3q51g9SpFivv8o
        Tz4+ijE+pqO5PtrSfr39ajc+op7+vRR1eT0ksA69rvGQvHocQj5o5E071GS/PfkecD1MRQg+fQGyPrs3Xz7uou88bOy0vAjMIb41
        NGQ+Rau6PWgWND4MIZa+w9dXvnHOMD5ZQAq+ngFWPMkdn72LGeG+VV11PqIjIr5ArYG+nDMTPhJWgT4ZR/W+8pPcvX3yjr44VwM+
        tQCBvlkHlz4GaOu9Ye/bvgZZVb5uln29Xek3PpiG2D2s/kg+05S+vn4baT4cHss+n7PVvQYHRz1jrAy+FFucPk1ZsD6ByYS+OSuB
        PIrPMz50PNw+PnG9PDrtsD4hcdI95K5XPXjBAb6x/ek9mmNdPty5uT4dZ4Y+IqTYPr4Ezj5Pmxk+IXMaPh8y1zwW75O9fQqyvF3r
        tD50w4S9gDxPvaxZnj7M0Em+HjAtPs9zkr7egFk90gCZveHsGL6/IaM+2ktGvX/Fsr1vzeE+NbVbvi6qs75oVbI9xua5vWnAQ708
        /9K7vUEivsU5Kz4ZjxI9wH0Fv5UiK7yRf7m+Duc3Pnj8m74Twsg+kskhvXAQaL6dWoC+6AkJvT65Oz5LNIU9m2qSPmRkrb1Yjwk+
        kkYDPsgRhb4IuqO9A7nnPUoaED5l5Co+pOyQvjuX8L2DZC89aBBcPmF8pb4xTR8/TuVvPgYgqT4jFKq+xZhKPmkIJj2EAE4+lvw5
        Pj3kyD7juBI/EZbWPQeXFL4rh0o+w4NuPVGCVL5Bkso+UxPtvbhf6D056Yg+uWysvcoDpD2vIDs9L2WEPt7jQL6UCAe+tW2RPeh6
        ujx6xH++s+HSPvi+zr2GYCy+sCX6PDoIGDwwk7W9s0u8Pb0f1Lxfi4e9EgqAPQ4bH71wz7O9EqC5PfyRYD2yENe8v9cwPeCgJTwL
        XFy9WlR1PZfbAb3NA+w9XmPZvO5ffD30RSI9gXr8vFcI2ryfTsO9LRcBu2PuKL6aaQY9Sw73PDzspTwuuma9avohPRUl+jsCP5c9
        JkwkvRN7jj1Kcxw9W5HtPe67ED2YOfW7AmvrvfyzmT02MJI9i0DqvTlydTzrcQc+ihymPS99MbzwmCa92J6JPQX5vbvPH3g9VsYH
        PU4+gL3M3H09906HPSIKGTz7RgQ9BxEhvvAyFr2c7FW8GGU+PdMc2L3OmhG9kBT4vWKDtj3kOrQ8LFeiPE2tQD6Xxem9z+uTPdzN
        Eb1s7tg9uk4PvSNeSjx36Oo8s1mEPT2hBjwgeoG9t7Keu82GujxoVIe9jPJkvRO1D75CDwA+0YQOu1HCHzwN4is9QtqrO4fTO70R
        mWs7JdkMvIdxOrvLDjE6XnuZu7nUsT2w8a88MQWAPMyA9j0nJXw9igiNPTnlFL1V7Je9VAW/PGg877xVDF09kxibPTJrzb17zwU9
        at9HvPw+Nb3si6+9boqPPYIrnjtcbSw9MpplvSbB8zwJn369no4COrAhmD38XOw8P266vCJdIj3/wa89pSWVvbMYSLsDIw++8xKx
        vYZehjxRPOU9XDmMPRllzLyR7N29emEkvSAipL2IZTu9HgZWPS913z39iLa7AoEkPudtpL0ZayG96lIxvZeNVDwGi1e9VGQNPjXl
        Ob5yXAu+GH7nOifb2rtiE0e9lM1BvALPsjxtcFq9SV2mPcHahD2FYoO9OcPuvC4xOb1FAn+8tkVdvRwLa726GTE87LU2vcJskD1Q
        t+49bKNmvCsKp71QMQe6rwwwvlcsnLxMT/q9NdAIPC4CTj27CB68zn4XPYbpkb3PrI69c5fNvMf2ubtzoq89Cg4LvXHjFz3KkLC8
        8rcevKHmDD2jjP89iyK0PDYkCbz5Tp+8q82evQbRZr1vIAy7Td+bPd1J1zyw5zO8CLiEvVBJhruMgzi7wU+Xu82ACj4Id7O91m4L
        Pnd9iz2AwsG8Sl1JPdgzir3qrNq9ZLMjvJwErLxpLsC95uIJunECwz2E/h68RNWvPLbpmbi760Q9fVyYPciHrbumV8g8+ahkvatL
        tzyimko9m45VvW57dTtG4cK6vOlGPapcubu6I6w81VAMvSrfUzxg/kM8r5J2PfKzqb28XPK64PW3vP1DwjtTNIs77cOXPaVSeDs0
        C7q9pxx5PRu0YrwjoRy9iUaMPSGs9jwTpci7OyzGOz04lb33wfA8WZjKPeqhobzHE5y9f1PrPO6mgjvrtQA98340vIgGlL3bRY4+
        ZngZPWSajb2Os/u8Ga9jPjsrVz39W6690JSpvX19Jz7r5Bw+9vzFupuuaz7y7xW+Cx2DO4EQsb1MGrM75pn2PdT4LT7nHm4+h8KP
        PuIxqj3IMQG+S2PUPJJzsL1+tQE+PbgWPtv8QD5ajlc+4e1+PUZlcb4TCo48vLy8vfyWCT7JZWY+Uo6VPbeFbT0TgRO9U7WsvUuz
        471lwvM9PYyyvTKd0z3GMzq+yx4uvuYkEr26kz2+1loTPC8/p72PnA0+agOLvYO6872GDIW8vvFZPoNeqD6m64s9E/SlvFv1cb7j
        CWg9r8WPvQZdcz0WLRA9WsPEvXAbfL5W4ik9S0K8PqGIQD4dlxU8iRC5PQwdVT5QeHc94nhnPUbb87x3MZc+V4xHPkGxAD619nQ+
        5QIjvrUC4Lx6dIq9QtGsPRKGGj5Dklw+yfCSPuPu3D7dRZ+6xBXFOthYNb3O/n68m9yUPYM7VT4EoKM97tkCPt+Msz3Rp5i+XYDx
        veiTp73OqNc91e+QPt3dXb1UDSI9fCYsPIerAL4eZ7q96CnXvQja7L2papq83x2jvpZW371K2he9Ihn4vflR0j3RHrK94S/JPqo0
        RL5UXze+VAabvXLGpT5zfO8+agqXPvJ8Er517ie+TDrLPPgq7b1BInY+6Zd3PWj1P75gqaW+yJhFPlmGiD3U9gC/8sgrv6r7AsA4
        lPE/ApT+vcjcur996cy+Jz6WvrJ+0b1BPQjAz3vaP/rFKb97+wjAt3WbvfZn/75DC76+FPwSvy+fJz8JKme+UMSJPyDL5L5a7eo9
        baKhvm1/578jyg2905M5vxdrTj5ECt4+STQTvyX+o777qh4/4hkmP+Hv/z5CLAi+t4IAP0BfSL2NPsQ+6wqDP6LGGL+p/869JqQu
        P937EL8Y49s+tg93P5ibyz11dx6+O7pdP4iQpD+GY3I84yqkP8e2qL6DGIE+3Q5Av1JTkL/mJuI+4qBiviBxxj6J/Qa/HCchPxzb
        cr50Jti/ar7qv7g5kb/fjaW9tEjuPJXDsr0Ju9c7uCSCPR3Udj3ULAW+kTcYvQ8IfL5HLQe8Ss6ePT1E7Twy9b495f91PHWYprzs
        cx89B0R8PYGO8T2Hl8y9SlD/vBYJ/r26pIU9AUe3u/1UoL16aeW9H2mqvYG2CT1JyPw8n0UdPAD2O70l1rm9ZLIyveeK/bv0tg29
        obaivX0In74CfZi8rs44vSs5fD14h487FFVZvvZz6LzhhbK750ClvXX/jryM0eW82L0RPmbiMDxs2oo9rrgrPc2der1p8eq9ehZL
        vgQGCLrbco886oDDvTJ2p73ijZM8I59HPSIXpr2WOZc9GbEQvq6X6L2DfTM8+bxNPTcL672N7Zm+U7JSvm5FOT6XCxY+c/oxvlea
        Qb5hvgC9D2iXPWkfKj54xhW+bsadvU0C6T1p942+xcqhvTFY5z4exqm8XW+rvjzV7j0e35e+1GxBvmM5QD6I8Kc9rvUUPuyXlj4P
        7Iq89FhJPvu3er00eYC+fgW6vpngOj1MUpE9ZbsZPkubbT5q8ZM+ScOLvSETKz4FNr8+3Sr/PYsgBz7j+Aa+Hm8wvvfYHL6rneW+
        vR9dPrM/1T5k2Wm9B966PijFuL5/ZtO+upoBPnT9bT5bVCg+G4a2PviUsD7HALi925b9vBbk3D3uiUY+v47XvlG/JLxtrkS+62aK
        vvNgPT5XPls+bEyWPSU3GL5i3Ag/rBs8Plorjz5ZeAg+Gm2XvrZ3Mz6qQ869sBIBvxq8sr5MtM0+xEYDv6RKAb/WfQu/WJhXPqOf
        8T5rS78+RZYNvgcn975pa+E8cWFbPs+8Hz/czpE+aeKzvmvr5D3br669/oBuvpsZ4D7oV/+++pqyvqE02759qYw+IQWkvuOIM75z
        Sra+qKz0vgp66z4Y8q499TQRvkBBAj7PcQu+8oYov2MoDj54dEm9ZmOKPC0IJr7kcYi+R4EhPq/HZD7WEvs8OX3NPbT1gj72ISQ9
        zADGPhtCQT7I5rG87Lu/vQ5p271oTSA+gsyZPZaCXb6xR66+VJl+PtnjnT1owoE+WS1vvqP4lL7PqyW/DiI8vgJ1DL9jRdE9LPsy
        Ph7Snr5izhi+KqCtPi5wBz7cKTW/Lqsov0yvF781aMk++qQsvrLJmj42Ar++KjkGPwo7h741wcM9yrhtPkPxIb5jLyy+yt+fvv4w
        SD7LHJ8+2nukvlwVFT8nTs6+E4fyPh3B1z5LQOA+gf/CuzuHt744DgI/DYVivrkgOb2IjgI/1NgXv6yXjzsPaQw+3VHNvp1cNb9O
        Li4+O33Hvg4b4j7KvjM+T6ayPjjE8730auc+Yasavqds0j5KAYk9VwGcPRbGAj7H2aI+fGbZvfNF4T4nmDU/9uezPWEcq715Sye9
        oct2vgRxlD48AU8+t9KPPgingL69L0M+skZ7PcSHHrq6FTs+iYZzvhUMOr5kVhO+fjXGved8772/o/28UQLpPZRMNz3buGw9iLBO
        PYis5TyOkZI+NhNQvYmBKT4ts3++tZBnPkfxFz7ZUYI9scPcPSn7Tz7viZ29FLiduxtlUDtFOme9tDDLPIOgqD3b8WO+BdA0vpJa
        Lb5vKlE9cdXHPPKJUjzHP789YrzKPaMoMb5bFmc8DlMYvrqNQL1qtVQ+LRkWPjN9Vj6Ziru9ejH5vOJ7Uj6/Ngo+Q2PHvJBg/TxV
        wEA+cpIKvjPQVT6lwXQ90XkKPMuQPb9WA5c/NFwnv+ePCkBsfX+/qex+v9oLir9xYoY/FOSRv+zXgD1MXmM/d7myvZIyNz/k/k8+
        uU3PvZQ0xb7IG0A+iMYFP5A6Fb/ajbU+yWeNvqq5jz4FAWy+jiS+vkTHpz4FEuu+K+GWPy00Tb7CxTC+IGvXvR0rCb5HXz8/zE6G
        P3CFgz293X29X6mAvlUQaT416AY/iE5LP4Tngz/YZT0/BgewPqzPuT4uYXG+t/0Nv8SORL8N0kg/xUUDP/Ijgj9sPkE+Hg2Mv+ph
        VT78ZQK/SY70vTlvtz4e/aA+sZKCvwP1kD5Sxq0/+vcdvi2vXT+B/rW+vThBvxv31D78yP09X5XgvEz8wr374zC+bRx+Peb0Hr2G
        OOi9JoPdOz/Sg7oz2L88Ri5Gvsjhnj2dG0U+mgqGvnCPzb03am892zGIvephHT5gC3A+J6CFPdUxGj7QM9Q9d2QWPv6cgb0UGQG+
        nGq3uxYBCb0o8JM82Dy6vRImCr5Bw2Q+Ya20PphmYj6etiu9JqOovbcwtL018qw8erADPtxLij6eNAS9Du+yPYWq773OWeE96QaV
        Pc6ODT4MZds8oHGRveT6pj43Lw080znTPf2L1b0BlR09BF8qPhfBsT0doyS+u9dbPq0z1z2ve6E9jY9aPrq9Qj6nMiA+tNAkvkGu
        Gr3cgeo9Zn3IPJ59KD07TVI8U643PJrEIT0qe4K8mf/lu+Iv2zxG0Ye8YPxsO/R/Njuwkdy6PLiVvedj3Lr8c7m9C/4zPXPFhTzQ
        J0E8eFpLPdMy4TyTHf+75j+Qu0lfG73iDQ88BZ+8u+bsermeEzw9Z4XEPBm3h7t/XEu9TK1ZPZFKML27nQ29GyZnvMX+V72zDe68
        9FgLPIfNIL12w1Y8IdtTuyDYtzy6UJ+7HurfPFufQzu+Ozw7m0aiPK/Gd7u6RR292z1avZoS77yKzSc9cJX8u/i1Pr1X+6e8Urqd
        PVrrQ7wtizk84oOvPCANKTlkk608W+XPPPLyGL0FSua831UdPHbqdcCeT//ASdqDwPwlE8GMuoW/4c6wwPQY5sDWKLM+iE8Iwcjw
        4sAEZ0bBY/U6wLfF0D9n6gLBfxnJP2hDkcCMCpnA8a/FwCey7cBiIpM/HDdPQA2wyMAtzro/4oYzv+0O38AjCcnAFvmrwP2A6D8+
        B8G/pnePwG8D3sDruZPAf8tnwNM37sBBzAfB+58zPjw9P8BR3q3Aq+lfQM5uyr674EvAeAQJQIHjmb/ttQpAMhfcP0RXDD5lO7XA
        P0MuPwUs5b+UbhdArlwrQMcAPECT3xzBmgyYwJj/GsFQOwW/VkGrvypYnb+MIJDAUqj0PwAJW8DdaY7AiNGGwNAmQcFjAkg+kDAG
        PeBWPb2Qdrq8ZhY9Pr/HzLxzoEK9U5+BvCZt/7wYoAU+KqafvobJoD4LsAo+695WPbipv71QBcS9l4KHPnzjer7lp++8KT42PJwG
        jD7Td0q98FkPPnWv+T2GF2S9S4Quuyy5zj2ZYbC9BZpwvt1zj7v6JMI9vo8DPt1b9r1gPLG9DY5qveJ1pr03GYK9Vil8vdgOVbxi
        9Zs7MT9uPSXIHj6otEA+kvypvuTCMDwgrge+POivPk/4gL5qwZK9egcEuzeSWL2SYdA77W2QvqZOOj7+F2c9NBmEvZTtLD1lWWc8
        LaeLPDCS+rvDUz8+SJtLPQyFUj0e2Sm+u5+FPWZYD764BEc9tfWWPJqpQr3KsxG8iyY9vrD1Ub3MfxU+bXxHPTIKHr1N0W+8FoX6
        vcTOfb11/889HBWRvbO5Vr40cZY9M/XLu/AgJD1WFrm9AJgnvY9En71vvSo6mF+6PZHfe71YURy+BvARvclgiz4ApMQ9lJqQvekv
        B75qBda9I//1vRDDS75Yh7u9Bt5vO2DNTjx3Vb69wTjqvM2WeL0Vbjg81XBzPiDfKT4ctZi+KHHdvYJtIz6atKi9PK8bvyeLWL2u
        oT2+XIwCPaUCEL5Z0ng9ar5TvvAx0zwcd0k9yLWhvfnU47z24j6+Cm0OPfg9aL45zf+9HG5pPSIjiD1hJye+5V2nPaVuVT2lGEs9
        NOxsvfXOh7z/WQG+OnPaPbcYUT4A7bQ9W/2oPcUZqTw99x49686TPlVNPb7c0Re+Er61PSK3mT3e0aS6F0RWvFk3kTy5pi4870iw
        PaAdBD093bk68i/nPDILirubIkc+fNCBPs+71zwCnyA9pyIqvaTCGr3b4Qa+D+43vCK4k7xsHEQ9yT6mPf5zs7249eE99TfDPVt9
        Er64OCU+KzKPvtCxIb5qieY98nsAPs9hBb8MHPo9cWecPMonnD1/6fE9cFbSPTkIAb1PFo49JVRDOxN1vbzM3SQ8rSGavZ4mdj1g
        iwY+J1OvvSRBrT7Evuo8x7MIPajHW75h7iS+C1IZvl4ayTrMtGq+U0CRveGSMz0CvwU+cdDIvfdmOTwamiK+j/C0viSEYztIZs+9
        Ig22Pc+nlL6MF8u+fkF5vkOSaD6+aYi9RZhOvVi5dL5i9wQ96VgkvtaWGb7cK2i9VMANPPsEy773XGo8zZQlvX3Cer2Y6aM94uqk
        vR9BzT1aBjK9d3mSPdIB2L0xtBu7iAv/vKf/hD365GQ+7q5svYO3pL7XIji+xV6/PS/F+b171oC+mGNJPuvs/72ryMi7JSKRvRX4
        4DyK0sS9Y71nvWnIK73zAO69Wkc5vtqr0r0WrbQ8916hvY87/r1fEaS9a/oXviicOD0edFU+R/eKvpAS9T3GaF296clTPhc+gb3Y
        4oG+PCTGvZG+e77gHga+9SeOPhR8jj5ksNe+gy6kO4HWVD7cVFS+Ls9CPt5rYD6MN4o6wKmivcGNRz4uO1A9D1C6vFsM6j0p3ig+
        n8BQPjmTeL6tiae+Un4cPutttryvhs094XOxPC4Cur1iWQO+zengPLa77D30tZq90YkEvYQThj3927U9Axg5PX+ZFL49wa29u9NM
        vWSw/j1UfEs+1+g+vjAprD1nTRS8B519PfFUWz4HOLE9OinBvcXoFL6oANI9kDbuvBygzL0w9oE851rFPW5QJT04/3w9TI/NvbgS
        1L1HcKO9eJp1vI6ok73v+vq9RkqXPTqeSTthauG9T40/vVCsjz17gV0+eLQ/PW8BcL7yD389By0EPmBLFz5Yrte+l7JsPe7AHbxW
        aFq+4CIzPSTAqj04Pvm76DsMvmj2ND1PKAw+Er3NvVSGE71EFTm9Dt90vrJMgL5V1yu8cFQvvXq0S73LVC+9DdHPPVqEB76p6zQ7
        S9gIvl56BLzKxcy8+itDPj/VMTwYUKU9Wv2UvbapY7ykozc+znrOPdfQATzApVk+DC5jvYmX6j2DqRU9ZInGPaNeK72Pw8E9sunC
        vFY4qrw7yZO9MIn4u+NvvDwfbqU+GunvvD2OEb7Mv4y9lp/jvSoIDj2W2gS+trAEvkSZ5jxer6u8XC7ePcmtsL1IChi+RPo2Pi/o
        gL2h5Qa+NAwAvYmeS7355+490PMavmQnhz1lqpO9G8n8vSSyyb3UrSE+Lhtovehr4r0gf+w99PsUug7Ujr2lvQy9EspUPlueizu5
        /569PqplvtP5Eb25SJE9lY1HvpalWL1q/n69y+S7vMerNb4TXoM961+APDrbHj3PLGM+VZdFvZXONr4rKqK9OL1LPksNYL46whi+
        2inmvEUpVb3RLBi+teGPvPkCzD1/4569tHDUvdKPHzyiTSu+YSUdvu3f4L3n9Ro90aa0OjPFvr3DmBm+R1uuvAd+Ub0G9uS8Qgp9
        vfW1xr3yG6g7yg5pvVRv1rwg1hU9eVl0vtR3mD4c5n+9lr5ZPUgMNb0qYRW9w2IXvnhWIT56pas9+ZSTvIGIZb6VS9i7pCSyPe8i
        bj2ry/69vtLBPAwRsL380YC97B0YvGrMaT0Rnmi9hhRPvJ7UGr4Xbza+DhVlvkSkAb5Oqes9UtAGvVjdeb3JofO98NaAPQVQi71B
        nA4+VCJdPruQAr2JpUY9/PalvRDLJD4GGga9y+iqPXQMzb1VADS+01OlvWJK672WaxO8+JypvTesX76xmKu8A/gBvjEAOL2OtLi9
        K+sHvoxWKr2miSG9oLRCvmRgvj2tKxy+PEkPvd6PibxsBFe9AUtYPUY9B73wMVI9yHvwPZFrWz5gJWE+p+5fvteV7L0dpDC+jpwp
        PiJ7Lz7/r028iytjvSufCb6v5xk+DfY7PqQW2D2E1Sy9zmIdvk/z8rzLLmy8w+myvVjegb2UTVa9ydT+PaXidL2JO6C+XNFHvoKf
        Or0oPNC9yuPKPE4/hL1i3JW8i9dgvU+0Db06SXq9hkrtvUuNEL4ysb6+WpKKva8hBr6qcgw+gH0DPp0jOb5CLNy8zZ4avpjp+D3j
        Sek9B0CVvKedW7ysQyS+zlJ8vSGRGLwLNRO8hUwbvfyrAz0P8As9Ri2kPPVmlz2NytK94QeTvc9n+732cNA71pOYvbu3FD3LjB86
        VlrePLWr/z0IfPY9qgyBvhd6pr7Nv529Y0tgvKMMmD6n+d08roUqvWNRUD6QHhC9+3pkPZq8EL0njIU8nq61vR8uCb5owbm8ZjDV
        OksAiD3WtWw9iAY6PmyTAD4OK8w8rk5XviuAmb4X1b29HOj5PN6Wnb1EeIO+Xb2ovVj1Rr2AiIa9jKySu3glIL1/4Qu+uptnvgBJ
        fLts5xE+gwAUvVzGiz08Fh49Bc0zvjjO+blvC+G+FC8nvso1k726x4W+Yv1FvYFsHr30t/S9L2UUvhBN1L3dxay850qAvoeLvr4m
        Jz2+CN64ve7Zfr6RgoE9HS3bPJWMs70ug4Q9mQqtPSCgWz3la5W6PXxLPgIGkr5BBWk9w0p1PSXR3j1slLo9RXKGvrWYsj0uups9
        HqoMPZKJ8L2wKEe9nBYhPRZ0Mj3RHn29uvZsPQt9Tjxomgs95xOuPaMtpb0PLQU+GhcGPeze4L3N4tq91HOMvuXSlb6Owcg9X9uG
        vpryWT1vfVK9UOrGPRWz17y5DP89GvWBPfDmkL7OtIG9KhoNvlYHLz5QpI67cy22vWv8Rj6tWZS+AvwMvqrmBryGu5o9RUvFvTs9
        cL4dCsY7hZMavYkeor1AuBa+pcArPtwHlj5fH+69mLLmvsK8Hr6ODVY9AsIrvaFdrj1Mjf86/K6qPVG3xL2BTyY9MwIwPVPoWr4H
        6MY9Bj5UvhBylj3cPY885IR4vUOdCb5g5Jy9M6ExPpe9TL2FVwe+gq4hvbwAvr0uaBO9Zcgevh44272YJiQ8+oe5vHd4RLzntSg+
        0O0qPXgzSr1Ozna9Bf6TviS6wLyZs2i+aXGGPU4BZj0nEIm9VNnZvcxNrrysCwc7IwCSPVtrjDzO1+e++P+fvViJ371NfEE8SCCq
        vnpY6ryWXu+9EvbivUPUyL69gaK+Bi9gPQ1MA71A0+C8/QRMPXeDuL3TAqm85UFPvjSZdb3ZgA68lPZ6PfukjD2DE7Q9ftmkPVMa
        jL7pbQw8od+XPWTorTzpNga+m/wuPXMvOD29TQo+9n3UPdtiFb6Ct+i9ZEGfvZTWvj1o+OO90adPvpyBaL2mM4i+oFG2vUgV5juq
        sS69EC01vm+r872Mnh69lwO+vSJK971eYh++tLRWO1n99TxzKJS9a8nXvfjl5TzfIua9jq0NvcDJ6L1tmKy903OKvWkK+Lt5iAO+
        fi0ZvKc2CD6D4fq8w3J4viVCp73sxzM7We0FPn8o7z0RZaW9ewJVPXYaSb6Fgvc8mJttPNYVm7xdbCA9RD1KvtdBrTyHDAs98O2z
        PWQ+VT14lRw+vY7+PItWQL26UY++D1vjPA0RNL64N2O826jmPbuWbb1HZII9MCdgvd2/uT06OB8+FAjKPWpyUj6Mt0Y+UTUOvvQb
        I76SWIA+nr5dvj2OH761a6K9Q4INvkHjrr2UPmm9C/4bPqy2yjxJtJO9bKL+PSv+0L3LLQC+e9lPvbph7zvBpB89VFNJPI2CRD5M
        U5S+7I57vgm2JT1hivu9uu0MvnCaMj2Pkiy91KNJvTB1sjykx1U9bEJRvZYDar6WvzY9clEUvfQXQz1SjH2+o+rEPBqVYb7A8ym9
        bifsvgAKd778DU69kY5KvkiSNr5f9EO9Y1OZvUylnb2NtBG+8DKvvWwM4r0Y88g6hv2HvgIphrwENC89qmc1vTnvL71bF8690VQN
        PZgrq71CCrG9ZJJ6vYm6Hz4GYfS9M89GvgnQkzxVbk29h2EsPi0U8b1gNBI+6TMfvuphIr4ivms8RAawvSqV9r07Nba9SSMHvi3b
        gb2N1xs8Ia63PcnAWD08bPu9QMspPexaTL3iaoO+LxASvRMvzD0kgoc+nEWvvq9ceD5P1RC+oBqfPKybWL5IY6m+eceIvsTf7L4+
        R4c+DIsyPlH6fjrOleu+a3yMvuCRhj4NTcO+qr+wPowTmb7atwG+ZeVZvmdiLD53taw+4CIcvonegT03iZU8zXMfPoxgZ7797ry+
        c3jvPUHQcj4ia9a9AFNUvsO0WLxdvhE+bre8vdMjiD0FM6y9kI0TPVcQWD6JTZQ+waQ9vs57u745QWW80dzxvc/SiT77Cqc9lWUY
        PDTrmD6GW6K82CjyPWy0Eb3nVIE9dY76vdFZuzyKUh+9EjNave4uoLw5U6y8P9efPmV6rz0Sr429FvhzvksbzTypdzo98Z3UPS+H
        Kr7vVy89Gp1ZvGccxT3jMGC9zPrXPYQ4+L13DYk+GPwZPnrqID7D+wo+EKHhvVuBoTs0jjM9wqrVvAIx0zzton2+e9r/PCq3Yjx9
        E4E98EnrPf8Naz1hC6g93P3jPeYXvz3Dfmq8cvfgvbZLcT1pYCa9Fk4Cvnjzer6jowm92jHKPAQ4/r2DPPe99tnTvWzIST2+9Ca9
        Q58JvlB3Nj5iPvE9tcdLvIK7nL3mZBs+cJDlPOGQCz28Kyo+qH3cPEbJTD4vQlG9xIhQPYiiZTn/iYG9eBewvdW1Fr1yOC++dKWL
        vautED4OGQQ+Aq3evTfV971AeRW8fyVeva5gib22Tsk7ZWN7PQhuAb05yqq91JTdvVWKfT3KLSs+OxLavcVNBL3s1Q2+uyC1PPXN
        UD4i1io+OqqdvRHJ0L2VrAu+WBGdvGXRWbz7ZoU9RLE3vrZcGb5JVcI9BDxUPCCfEb3rgg+9OJ+qvcGjXD72e3A8jZkfvspor70/
        vYe+DCHcPVI+471OKy6+C5HnPB6DwrxkODG+2UGdvfFk1L6ntVM+vDAVPsMBCrwtcR+94wAavplH+T3yx6i9Jl7uva1qoLxRSNE+
        BrxLPXC3dzyLLwe+3Qz9PEuwkL13fZo9gjPoPYqtKz6ovYY94067vrJbNb0rAjG+Wm+Bvh8WC73wNAA+iFopvWBo1jutP1k9839o
        vt/rMj2evys9++L/PFHCVz7ZmNg9m5mmPDmJVjoUyVU+SroDviNlT77WUyg+LpyuPLPLjb1rBA6+3rnyPVAnCj0mLyS+RqSDPXtM
        qD13yLC9kt1CPW4zNT1kUQQ+eGL6vS2mOj4A3c69EeTCvUs+4D1YtAm8YRS4PRhaCb2EzFY81bwAPRXL472Rze68jwqOPUa1Sj6v
        tZI9NiTnOUYUl7xsTwQ+0Jw+PM/y3D2x/o09V1EgvawCFb1yOxU9d5JhPu2C570sT0C9jjSGPQHd8b3CgVc9j6kGvHdUtTyy35i9
        8i1MPkkrUD1NyoK9GY0bPq7PU75jzuw9yYXEPElRcj43z/c5Rqg2vf63M77Hlpa9xy+NPp6JlD6aM0c+kkoqviaBLz7bQYw+6ao4
        vj5FtD2MBgi9JBfKPQvZIr7ltDU+SMgcPqmD0rxToQg+3T0rPvrcKD4iD+A8Gu8HvhzJOj7spzS9wF2pveVIUr699QQ6d35+PRc4
        jr0KO2o9IOWcvEpNzL2ZGNk96/pAvpiMBT7EZlA+zQMDvrfO6DzFr7E91L5sPUqnxb6q0Bc9ds9UPfGEeb7xzGm8kV4zPmUqHb2J
        mFe90QJOO+iiNj3u54+98QUOPVycUD4Vuwc+1w3svQXjGT0yAEm9MJmqPdV/WT7czRW9w8XevVl/Pr2cWUa+oXAkvXOv9LwTLxY+
        EcHOPYrz1rxgMik+/mw8PgCpsD16Nf86eX6RvY30hj0Mw7s9zDO3veLNtj0UwIs9FdzAPSq2B74BWKw7WPyzPb6RCb7GAi0+Zl+w
        vaL9Qj71DpC94+KBvgdOZb6D7889+7w6PRhosz3reZI9F5SePIr2kz0oOKI9S+uRPWYOOD1DxLg9/MbDPUzIfr3SRek8//bvPQiE
        i75BQvQ9Yo0hPs3fHj1Dgw2+2hofvhISPz2+gp69d09nPTDVNrxmhd+9RZQiPWQ5+r3d80Q+5mtbPpbydL3BMcU9qi/XvUkckb3D
        o2a9tv33PLZJ2bw26IW9ovWKvdk/eD1E00M+IwwGPpnaOL07t9s9tM4AvYQYYb1t8ZA+m5JbvkuI9z0ZOvs9n8qiPAtM0b05txe+
        dTeqPVOSh71leLw9+x8IvcNpvr0IRWi9PpqkvRir7z1IPzA+yhSkvPR3rbuR1rW+wHt9PBVQWD0u0mu9/VvtvUaTA708Kj2+SWqz
        u3qgB73KNvY8/XaKvpmGZD4Qlde9vp+SPaTnLr4Dwuw9LDGGvq0+o76yahG89kwDv76pUL5wN0S+SnTkvdwsnLsripm88jx/vTfr
        y70EX5u8MJ1fvq6Fpr7u1zu+lJZVviM3B75XRRY9mrO8vccQS736QsQ6bEMvvRsFebz5XJK9U3vVPPQynr7dZFc+WUCYvtBDqjxM
        a5e7Sh9APXvJ776X/Ag+mSKQPrpfBr4kwD2+ZvWGvhYylzwJktK8tOrCvenKk72C74+9B//1vNEaFr4ZTDw+9PVOPoxuwLzIQMQ9
        PEwkvui4YL1kRnu9qqN+PdgLsr0eJ+S9m89Xu5I+DT1Lg3e9MJYaPe1woL636eG7oZoJvXNxEL4A71o+TDTqvecDyT3hB6o8cG1E
        vq6raL6g/hm+uBYtPmZjpDxcmSS++lWRvEIYBb3F6ey8BVqMvZVbqrz+ZYs+jTohvZJ+5r3pkLu+/McsPoODcr5ajaK9UJbVvYXU
        FzyF3Vy8O4K1OokC8b0Vc4c9Zh4Rvi5q7T02Gk2+Nk11vWNJpj07kx++hMFavn+ISb5FV9695BvpvtovgL56dfy7unNWvpGCtT0E
        +Io9FikcvgWRbLuscUy+r6gAvpZSCT5OceS9atAmPhborbwGw8w9MCswvITWHj0mguC9+XCwPMHJ6LwG8o+9prsDPoWbnz2rIcE+
        C1sfPZR/jj1JqJ06IWiSPFQP/71Uw7k9ll4cvpQEn72fyaW9qoX8vbhsQD2drKO9esM5vQBbkj0Dx8y9Fbf0vLDTob2Ri449MqQa
        vQCr67tECKG+0hGCPHJZdb3znPw9T2dtPeo0Mj6DxHA8f5ntvFfnlb3Sngo8/oLHvYLU9T2/igi+naOOPYYogj3voA4+7XmRvbRu
        h71X8ko+9J1PPXmphjxcbpY7SLokPo5xJ76fiRc9YpIFPnkvsL1SiMC9z/2KvbjuPz6F2Qs+XWSfvZYdFL4Zxx49zI5TPFNTgL0/
        7x896HcHO8IL0bxfVB4+sC5KvZu0S7yXwsA89V2GPkk+l7ynPM293WpGvXkEaD0lnAM9zj06PiMqBz7A3wq9ImbOPdF1W72ZYJw9
        41YavlhTlD3MATu93GOLvb7clT2Mpb29/rSWOjebMT4K7h49yFIHPgK1oDwRPJ69NlGMvdL6j71B2m+8zyzMvUr5B77IT6M9l7QT
        vmXUQr7/opk9WnlFvocS+722R5c9vBrdPf3jYj0vJ6293A80vGIpPL3P9Ja+Lk9rvZcqA70rSLG9L/aCvd/k9T1vLHm7dE3zupwU
        OL2F9NA9RpBiPqCwybx7K+M7/ToivkdmE73kF7S9wj5XPU+M671lPpw9ZLdjvVHHfDv+iDG9aPX2PTSpub5YaZg+XxQGPfnJRb0U
        ozw+G2uDvo1C9T3Nd5M+Qx07vewVir4GRDq+kH6uvYs/o725CXY9PKNqveBVob1XvB++jHK8vYOf+zwm3SE+zTyuuwHgqD1rFoG+
        oDT7vSXr5r2VB4S9z0Z1va0sGz2zRZO9n1OyPOfnez0osIy9mvICPleZQ77WVNe8km96vf8cB73ZAaW+d9DpvDXy3L3pYeS9HgXA
        vkm0u774EaA98+fLvPASCL6Qnl08vjcfveJ4JT3A3YK9Fn9BPH3Q2b11ZDy+3DfgvHyE9r23CkK9RxvSvEOXqTwgseu9iqXbvJC+
        hz3g9Ni68iu3PfoW/TyhIHE9dTcSvkQoqb2tfFM8vnk9PtXkxb1F5qm9Aae7PYSZh70Nqme+pBIjvpuKUT0qzrQ97L24vQSX2D1e
        WBk92Dq6PH32lD3xTDk+pFmIPhy6g71a34++BWKEvMD3G71QIcE9y/i2uyVcuTugsic8XaP8vTa+v726z2m96nzHuzBbcL4TrlY+
        jzWSvKxjJz7WTyG+DpX0PEAirr1Ugp6+PE39Pc3ro702UWk9XBljvjpIBTt7MrY9lRhkvSUUVj1V0K48UF/YPIHELL4ae4i+Aw5+
        vSh3or3s3S0+ILgcvfbWkboZQfQ8JluPPIjoD7wU2Ji8TkT3Pe4ORz7Mcj4+KhkVPhUTgT0JU3g9qt6avbIsIz5hDDM+D1aSu6jg
        tz2G7Lk8IfgmPlLjZj60XNi8qTW1PSsZRjp5LgA+a7KjPXNvY7xmIvQ9irjbPdRxr73wNPg9IB2AvT7izL44oYg94pK8vFiVAL3N
        GYm6/CyEvRD9H7sMNEY9rSMGPL//370tolU7VIkuvnHXE76zR4O9xNwGPYbMm779mLy9BC+PvX3NCb4VF/C+n+5qvp/gZ73y96m9
        xB1PvcGyBr0TVz69gHwavEy3w70CvW+8UO+XvPrRAz0vrHc9oN+rvpEI+L2fM9C9dLyjvQQ0wT3+KUS954G1PQxkRb2YuAo9XP/X
        PazZy76FYhs9J7xdvvkf3r1I1eY9U0GrvRx9pL4PAni8C3zOvOLX3b64m66+WUnpvWqp27sgPvy9Y1m5u+laE70Jz6O9MrN6vijf
        1T2obsq8zWYcvjbDXT4wqZC8Ge3OvKKNbj1EYpU9ZoiWPbVZjrxfhSO+pZBqvYn4yz2c+549PkCTOFvSb75DFV88xu3JvRcWwT3v
        GWY8hLEWvpRSPz5L9Li9IRWfPQCjdz3Pi7o8018nvfwNNjz/Qda85xXIvdQIMr3ww9Q5ZQpAPrxNfj5sKeu9OHW6vQXfrT3Bp9e8
        k5B8PqnaoL3JZo0+2WQOvR5gez6n6Um9dlBAvVuwvjz0QzI+r4iMPuJkMD7XWgU+LVrMPdrfbr3KyWM+Ibe6POfNAz6qVak9SRGb
        vWTAezx7RQw+edepPlVpFb3MEB8+d35ZPrwmHj47cIc99qwcvfl2Yz6QLMQ+gfqzvmNoij1wM1O+9imuvd32hLwHIRQ7iAXevayM
        Mb1gShK+t6MnvKrK8L3bX5e+4M+vvfQ9kr6+id28ENiqviHRqz1pZSK+qV1gvcykvr7lzcW+XqeevXRjqz0XrpS8i+6AOsfYy714
        j46+67mIPCSlZb0uFem8GsaQvGI2NL40dfu7jwh7vqFFy71mjEu93ZN+voPwrr1tnhW+2MdGPYtdoD0VauQ9hN8jveVyFr7Mseu9
        BonZvZcUpT4FC/Q9tlc+vnZSnT1Qzp69SZCePTFLpD3Dfig9v/XKvHNnlb0+cMg9rRpsvQgkortJqQe9i98FPrg8CT47wfW9NuIh
        vgzD3zz7tV++27qcvalp1r3uDBK7OjbFPRQGA74a9nu9zHrGPRJVpbw2MuM93/yRPEPuqb3ZvBC9L5IFviLWKL3vqau9hsxkvoHg
        Zr0fhAa+fxF4vbO4rr11OZ282uu5vbrIpr03nEi96QDCO6/JIb62nhg++cL2vtz3gr2AEVS8ea+yvb4MAD5rB+u9ZqMHPE85/L3a
        26y9E+KrvZfcYb3sqwE8L7qLvvzlMj7k11w+E1ckvoK2gT3ulQe+mw6UPYIhVr6dYUe+a6JAvhNjGL54fhm+DNPFvTMf6L1DSwS+
        2s3Wvc3aJL0ShyK+9l86vnVzuT27u4q+jAvPvR9mML75Cly5zTbtvSoD1r2+OFU8rf88vbVehL3xBHW94Q6mvUY6t7xhmKe9XGA4
        PsxeJr7Sb7i9/4YXvseNJT5vJ4i+8SJavjQcyr1wa9g7nrcmvdQyRb5dOGI9rlE6vuJMCL1qqHw9pur6vVPtA76zKAa+TkX2PY1B
        pLxhok2++TggvUTO4b66Sw6+otsRvl6xTT4t57O+c0cHur+Xpb5Cwao9AuhePogPGz5GYnY+nBp4vr+pT74SSbC+cXGNPn6y7774
        WKy+9xfQPd5SSb1l0QC/oU7CvsyLXD4MOYG+EXuevoocQD6Iv9i+OEp9vibSHb55j4I+bb7EPQWal75PvNm+/MqmPmwToDxWpzs+
        wg6pu4bHuj7meJm3V8aiPoipvruOV7284g2bvVExCb5mGRQ+pxSiPiBVuj71ZPW96SWpPku1mD7gjbC9QMPcPbiduD5/wbk+6AgE
        vdY2HD6nAK0+iCi5vOTXuj6fm9c+2RtcPmIUdb0k1Ni9I0/QPjoeEj7eXAe+lDfwO6lMUD1wS9+7NpMGPVBBeb6U3j691jQ1PfVf
        yDyHD4i8zNlqPSW2Uz22NMM9Ym5PPaMzBz0vsCs9Vq90PGp+Wz1dYVw8kJYavgsTBL6jjQk9KTSsPJEJ0D2IrMs9EHvIPLtHGLze
        T6g97io+PeIJGbzMwjU9GL+JPF9QZj21COU9W+sBPj7JzbyKZ1i8DmWOvH0uVLwB3ey7dYuRu7VaMTy4/Mq8TDkkvRS4kbnV5V48
        LbFLvT7LkT1PsIK9pVFuPod55rwheC88KPqEPw==
        """
}
